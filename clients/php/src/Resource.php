<?php

declare(strict_types=1);

namespace Sluice;

use Sluice\Exception\UnexpectedAnswerException;
use Sluice\Model\Pagination;

/** What every resource can do. */
abstract class Resource
{
    private const LARGEST_PAGE = 100;

    final public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * @template T of Model
     * @param class-string<T> $model
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $fields
     * @return T
     */
    final protected function one(
        string $model,
        Route $route,
        ?string $subject = null,
        array $query = [],
        ?array $fields = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Model {
        $answer = $this->transport->send($route, $subject, $query, $fields, $idempotencyKey, $timeout, $maxRetries);
        if (!is_array($answer->data) || ($answer->data !== [] && array_is_list($answer->data))) {
            throw self::odd($answer);
        }
        return new $model($answer->data, $answer->requestId, $answer->replayed);
    }

    /**
     * @template T of Model
     * @param class-string<T> $model
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $fields
     * @return Rows<T>
     */
    final protected function rows(
        string $model,
        Route $route,
        ?string $subject = null,
        array $query = [],
        ?array $fields = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Rows {
        $answer = $this->transport->send($route, $subject, $query, $fields, null, $timeout, $maxRetries);
        return new Rows(self::models($model, $answer), $answer->requestId);
    }

    /**
     * @template T of Model
     * @param class-string<T> $model
     * @param array<string, mixed> $query
     * @return Page<T>
     */
    final protected function page(
        string $model,
        Route $route,
        ?string $subject = null,
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Page {
        $answer = $this->transport->send($route, $subject, $query, null, null, $timeout, $maxRetries);
        if ($answer->pagination === null) {
            throw self::odd($answer);
        }
        return new Page(self::models($model, $answer), $answer->requestId, new Pagination($answer->pagination));
    }

    /**
     * Every row, newest first. The next page starts after the cursor of this one, so rows created meanwhile shift nothing,
     * and an empty page may be followed by others. In a list without cursors they push the others down, so a page may repeat
     * the end of the previous one. Such rows are returned once, as long as fewer rows than a page holds are created between
     * two pages.
     *
     * @template T of Model
     * @param class-string<T> $model
     * @param array<string, mixed> $query
     * @return \Generator<int, T>
     */
    final protected function every(
        string $model,
        Route $route,
        ?string $subject = null,
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $offset = $query['offset'] ?? 0;
        $limit = $query['limit'] ?? self::LARGEST_PAGE;
        $cursor = $query['cursor'] ?? null;
        $seen = [];
        while (true) {
            $place = $cursor === null ? ['offset' => $offset] : ['offset' => null, 'cursor' => $cursor];
            $full = array_replace($query, ['limit' => $limit], $place);
            $page = $this->page($model, $route, $subject, $full, $timeout, $maxRetries);
            $ids = [];
            foreach ($page as $row) {
                $ids[] = $row->id;
                if (!in_array($row->id, $seen, true)) {
                    yield $row;
                }
            }
            $following = $page->pagination->toArray()['next_cursor'] ?? null;
            if ($following !== null && $following !== $cursor) {
                $cursor = $following;
                continue;
            }
            // An empty page that promises more would be requested forever.
            if (!$page->pagination->has_more || $ids === []) {
                return;
            }
            $seen = $ids;
            $offset += count($ids);
        }
    }

    /**
     * The same; or every row above the position `after`, in ascending order, until none is left for now. The next page
     * starts after the last row received, so rows created meanwhile shift nothing.
     *
     * @template T of Model
     * @param class-string<T> $model
     * @param array<string, mixed> $query
     * @return \Generator<int, T>
     */
    final protected function everyOrAfter(
        string $model,
        Route $route,
        ?string $subject = null,
        array $query = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): \Generator {
        $after = $query['after'] ?? null;
        if ($after === null) {
            yield from $this->every($model, $route, $subject, $query, $timeout, $maxRetries);
            return;
        }
        $limit = $query['limit'] ?? self::LARGEST_PAGE;
        while (true) {
            $full = array_replace($query, ['limit' => $limit, 'after' => $after]);
            $page = $this->page($model, $route, $subject, $full, $timeout, $maxRetries);
            foreach ($page->data as $row) {
                yield $row;
            }
            $last = $page->data === [] ? null : $page->data[array_key_last($page->data)];
            // A page that makes no progress would be requested forever.
            if (!$page->pagination->has_more || $last === null || $last->position === $after) {
                return;
            }
            $after = $last->position;
        }
    }

    /**
     * @template T of Model
     * @param class-string<T> $model
     * @return list<T>
     */
    private static function models(string $model, Answer $answer): array
    {
        if (!is_array($answer->data) || !array_is_list($answer->data)) {
            throw self::odd($answer);
        }
        return array_map(
            static fn (mixed $row): Model => is_array($row) ? new $model($row) : throw self::odd($answer),
            $answer->data,
        );
    }

    private static function odd(Answer $answer): UnexpectedAnswerException
    {
        $message = 'The service answered with data of another shape.';
        return new UnexpectedAnswerException($message, 'unexpected_answer', 200, [], $answer->requestId);
    }
}
