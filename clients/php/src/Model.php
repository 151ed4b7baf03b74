<?php

declare(strict_types=1);

namespace Sluice;

/**
 * An object of the API. Its fields are properties, under the names of the API. Fields that this version does not know are
 * kept and can be read too. Amounts are strings: calculate with bcmath or a money library, never with floats.
 */
abstract class Model implements \JsonSerializable
{
    /** @var array<string, class-string<Model>> The models within this one. */
    protected const NESTED = [];

    /** @param array<string, mixed> $raw */
    final public function __construct(
        private readonly array $raw,
        private readonly ?string $answeredTo = null,
        private readonly bool $wasReplayed = false,
    ) {
    }

    /** The id of the request that this was answered to; null on objects within another one. */
    final public function requestId(): ?string
    {
        return $this->answeredTo;
    }

    /** Whether an earlier request with the same idempotency key created this. */
    final public function replayed(): bool
    {
        return $this->wasReplayed;
    }

    /** @return array<string, mixed> All fields as received. */
    final public function toArray(): array
    {
        return $this->raw;
    }

    /** @return array<string, mixed> */
    final public function jsonSerialize(): array
    {
        return $this->raw;
    }

    final public function __get(string $name): mixed
    {
        if (!array_key_exists($name, $this->raw)) {
            throw new \OutOfBoundsException(static::class . " has no field $name.");
        }
        $value = $this->raw[$name];
        $nested = static::NESTED[$name] ?? null;
        if ($nested === null || !is_array($value)) {
            return $value;
        }
        if (!array_is_list($value)) {
            return new $nested($value);
        }
        return array_map(static fn (mixed $each): mixed => is_array($each) ? new $nested($each) : $each, $value);
    }

    final public function __isset(string $name): bool
    {
        return isset($this->raw[$name]);
    }

    final public function __set(string $name, mixed $value): void
    {
        throw new \LogicException(static::class . ' cannot be changed.');
    }

    final public function __unset(string $name): void
    {
        throw new \LogicException(static::class . ' cannot be changed.');
    }

    /** @return array<string, mixed> For `var_dump`: everything but the secret of a webhook endpoint. */
    final public function __debugInfo(): array
    {
        return array_key_exists('secret', $this->raw) ? ['secret' => '[secret]'] + $this->raw : $this->raw;
    }
}
