<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $network
 * @property-read string $name
 * @property-read 'live'|'test' $environment The two separate environments.
 * @property-read string $gate_id The gate that serves this network in this environment.
 * @property-read int $decimals The number of decimals.
 * @property-read string|null $contract_address The token's contract or mint, or on the XRP Ledger the currency's code, a dot and its issuer; null for a network's native currency. Simulated networks have their own tokens, which exist nowhere else.
 * @property-read int $required_confirmations How many confirmations a payment needs before it counts. Larger payments may need more: `required_confirmations` of an invoice is what its amount needs, and that of a payment what the payment itself needs.
 * @property-read string $min_amount A decimal without exponent, sign or trailing zeros.
 * @property-read TagRule|null $tag The memo or tag that a payout on this network can have. Invoices say whether payers need one.
 * @property-read 'online'|'offline' $status Whether invoices can be created there now.
 */
final class CurrencyNetwork extends Model
{
    protected const NESTED = ['tag' => TagRule::class];
}
