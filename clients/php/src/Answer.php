<?php

declare(strict_types=1);

namespace Sluice;

/** A success, out of its envelope. */
final class Answer
{
    /** @param array<string, mixed>|null $pagination */
    public function __construct(
        public readonly mixed $data,
        public readonly string $requestId,
        public readonly ?array $pagination,
        public readonly bool $replayed,
    ) {
    }
}
