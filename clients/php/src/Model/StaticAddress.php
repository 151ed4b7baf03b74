<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $id
 * @property-read string $merchant_id
 * @property-read string $currency
 * @property-read string $network A network's name, in lower case.
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read string $gate_id The gate that serves a network in an environment.
 * @property-read string $address The address to pay to.
 * @property-read string|null $address_tag The memo or tag that must be shown beside the address, on networks that have one.
 * @property-read string|null $label Your own name for the address. It is the `description` of the invoices that deposits to it create.
 * @property-read string $total_received The sum of all confirmed deposits, less reversals.
 * @property-read string|null $total_received_in_base_currency The value of `total_received` in the merchant's base currency at the current rate. Null without a rate. What each deposit was worth when it came is in the invoice that it created.
 * @property-read string|null $base_currency The currency of `total_received_in_base_currency`. Null when that is.
 * @property-read int $invoice_count How many confirmed deposits created an invoice, less reversals.
 * @property-read string $created_at ISO 8601 in UTC with milliseconds.
 */
final class StaticAddress extends Model
{
}
