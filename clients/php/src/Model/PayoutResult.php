<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * Either `payout` or `error` is null.
 *
 * @property-read 'created'|'replayed'|'refused' $outcome Whether it was created now, by an earlier request with the same idempotency key, or not at all.
 * @property-read Payout|null $payout
 * @property-read ErrorBody|null $error Why it was refused, as in the answer to a single payout.
 */
final class PayoutResult extends Model
{
    protected const NESTED = ['payout' => Payout::class, 'error' => ErrorBody::class];
}
