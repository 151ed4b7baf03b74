<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

/**
 * @property-read int $total The total number of matching rows, the same on every page. It is exact without filters, and with `status` and `currency`; for payouts only with `status`, for refunds only without filters. With any other filter a request looks at 100,000 rows at most, in the list's order, and counts among those.
 * @property-read int $limit
 * @property-read int $offset 0 with a `cursor`.
 * @property-read bool $has_more
 * @property-read string|null $next_cursor What to send as `cursor` for the next page, with the same filters; null if `has_more` is false. A request that ends after 100,000 rows, as described at `total`, may return fewer rows than `limit`, or none, although others follow.
 */
final class CursorPagination extends Pagination
{
}
