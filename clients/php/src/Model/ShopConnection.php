<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * What a shop needs to work with this service. Both secrets are shown only in this answer.
 *
 * @property-read string $id
 * @property-read string $app The plugin or program that the shop runs.
 * @property-read string $name What the shop calls itself.
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read string $merchant_id
 * @property-read string $merchant_name The merchant that the shop is connected to.
 * @property-read string $api_key The key for the header `X-API-Key`.
 * @property-read list<'invoices:read'|'invoices:write'|'refunds:read'|'refunds:write'|'events:read'> $permissions What the key may do.
 * @property-read string $webhook_endpoint_id
 * @property-read string $webhook_url Where events are sent.
 * @property-read string $webhook_secret Signs what is sent there, as Standard Webhooks specify.
 * @property-read list<'invoice.confirming'|'invoice.payment_detected'|'invoice.paid'|'invoice.underpaid'|'invoice.overpaid'|'invoice.expired'|'invoice.cancelled'|'invoice.late_deposit'|'invoice.deposit_reversed'|'invoice.deposit_restored'|'balance.credited'|'payout.approved'|'payout.processing'|'payout.completed'|'payout.failed'|'payout.cancelled'|'refund.completed'|'refund.failed'|'webhook.test'> $events The names of the events that are sent.
 * @property-read string $created_at ISO 8601 in UTC with milliseconds.
 */
final class ShopConnection extends Model
{
}
