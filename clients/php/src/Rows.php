<?php

declare(strict_types=1);

namespace Sluice;

/**
 * A list that comes in one piece.
 *
 * @template T of Model
 * @implements \IteratorAggregate<int, T>
 */
class Rows implements \IteratorAggregate, \Countable
{
    /** @param list<T> $data */
    public function __construct(public readonly array $data, public readonly ?string $requestId)
    {
    }

    /** @return \ArrayIterator<int, T> */
    public function getIterator(): \ArrayIterator
    {
        return new \ArrayIterator($this->data);
    }

    public function count(): int
    {
        return count($this->data);
    }
}
