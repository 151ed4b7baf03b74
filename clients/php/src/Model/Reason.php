<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

use Sluice\Model;

/**
 * @property-read string $code Which sentence it is. Codes are added over time; `other` stands for words of a node, or of an older version.
 * @property-read string $message The sentence in English. Show it if you do not know the code.
 * @property-read array<string, mixed> $values The values in the sentence.
 */
class Reason extends Model
{
}
