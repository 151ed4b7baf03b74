<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $id
 * @property-read string $tx_hash The transaction that pays. A native transfer inside a contract call, as from a multisignature wallet, is detected by the address's balance; then this is the hash of the first block after which the address had the funds.
 * @property-read string|null $explorer_url The transaction at a public explorer of its network. Null in the test environment, which has none, and while there is no transaction.
 * @property-read int $output_index Which output or transfer of the transaction pays; together with the hash it identifies the payment.
 * @property-read string $currency
 * @property-read string $network A network's name, in lower case.
 * @property-read string $amount A decimal without exponent, sign or trailing zeros.
 * @property-read int $confirmations How many confirmations it has now; 0 outside a block.
 * @property-read int $required_confirmations How many confirmations it needs before it counts: those of the invoice, or more if its transaction pays a larger amount or is a miner's reward.
 * @property-read 'detected'|'confirming'|'confirmed'|'reversed' $status Seen outside a block, in a block, with enough confirmations to count, or no longer on the chain.
 * @property-read bool $late Whether it came after the payment window, or after the invoice was cancelled.
 * @property-read int|null $block_height Null outside a block.
 * @property-read string $detected_at When it was first seen.
 * @property-read string|null $confirmed_at When it had enough confirmations to count.
 */
final class Payment extends Model
{
}
