<?php

// This file is generated from the contract.
declare(strict_types=1);

namespace Sluice\Model;

/**
 * @property-read int $total The total number of matching rows, on whatever page. A filter that no index serves (an amount, `metadata_key`, `search`; see each list) counts among the 100,000 newest rows that the other filters leave.
 * @property-read int $limit
 * @property-read int $offset 0 with a `cursor`.
 * @property-read bool $has_more
 * @property-read string|null $next_cursor What to send as `cursor` for the next page, with the same filters; null if `has_more` is false. A filter that no index serves looks at 100,000 rows per request, so a page may have fewer rows than `limit`, or none, and still be followed by others.
 */
final class CursorPagination extends Pagination
{
}
