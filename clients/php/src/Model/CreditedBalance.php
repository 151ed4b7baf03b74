<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $currency
 * @property-read string $network A network's name, in lower case.
 * @property-read string $amount The amount credited, before the fee.
 * @property-read 'deposit'|'late_deposit'|'adjustment' $entry_type The type of the ledger entry. An `adjustment` was released from suspense.
 * @property-read int $ledger_entry_id The `id` of the ledger entry, in this currency's ledger.
 * @property-read string|null $invoice_id The invoice that was paid. Null for an adjustment.
 * @property-read string $available The available balance in the currency's ledger after it.
 */
final class CreditedBalance extends Model
{
}
