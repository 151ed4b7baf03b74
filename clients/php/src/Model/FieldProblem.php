<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

/**
 * @property-read string $pointer The JSON pointer of the field.
 * @property-read string $code What is wrong. Codes are added over time; `other` stands for words without one.
 * @property-read string $message What is wrong, in English. Show it if you do not know the code.
 * @property-read array<string, mixed> $values The values in the message.
 */
final class FieldProblem extends Reason
{
}
