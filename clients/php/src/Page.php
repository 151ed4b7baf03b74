<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Model\Pagination;

/**
 * One page of a list.
 *
 * @template T of Model
 * @extends Rows<T>
 */
final class Page extends Rows
{
    /** @param list<T> $data */
    public function __construct(array $data, ?string $requestId, public readonly Pagination $pagination)
    {
        parent::__construct($data, $requestId);
    }
}
