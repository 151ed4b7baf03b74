<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read 'validation_error'|'invalid_state'|'unauthorized'|'forbidden'|'step_up_required'|'second_factor_required'|'password_change_required'|'not_found'|'conflict'|'idempotency_key_mismatch'|'amount_too_small'|'insufficient_balance'|'invalid_destination'|'refund_exceeds_credited'|'webhook_target_refused'|'rate_limited'|'internal_error'|'service_unavailable'|'gate_offline'|'rate_unavailable' $code
 * @property-read string $message In words: what is wrong and what to do.
 * @property-read list<string> $details One string per problem, `"<json pointer>: <what is wrong>"`.
 * @property-read list<Reason> $reasons Dashboard only: `message` sentence by sentence, each with a code for messages in other languages. Never returned to a key.
 * @property-read list<FieldProblem> $problems Dashboard only: `details` in the same order, each with a code for messages in other languages. Never returned to a key.
 */
final class ErrorBody extends Model
{
    protected const NESTED = ['reasons' => Reason::class, 'problems' => FieldProblem::class];
}
