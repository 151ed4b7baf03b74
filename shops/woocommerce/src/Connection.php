<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

use Sluice\Client;
use Sluice\Model\ShopConnection;

/** The Sluice that this shop is connected to. Its secrets are stored as an option that is not loaded with every page. */
final class Connection
{
    public const OPTION = 'sluice_connection';
    private const TIMEOUT_SECONDS = 15.0;

    private function __construct(
        public readonly string $url,
        public readonly string $id,
        public readonly string $environment,
        public readonly string $merchantName,
        #[\SensitiveParameter]
        private readonly string $apiKey,
        #[\SensitiveParameter]
        public readonly string $webhookSecret,
    ) {
    }

    public static function current(): ?self
    {
        $kept = get_option(self::OPTION);
        if (!is_array($kept)) {
            return null;
        }
        $fields = ['url', 'id', 'environment', 'merchant_name', 'api_key', 'webhook_secret'];
        foreach ($fields as $field) {
            if (!is_string($kept[$field] ?? null) || $kept[$field] === '') {
                return null;
            }
        }
        return new self(...array_map(static fn (string $field): string => $kept[$field], $fields));
    }

    public static function store(string $url, ShopConnection $made): void
    {
        $kept = ['url' => $url];
        foreach (['id', 'environment', 'merchant_name', 'api_key', 'webhook_secret'] as $field) {
            $kept[$field] = $made->$field;
        }
        update_option(self::OPTION, $kept, false);
    }

    public static function forget(): void
    {
        delete_option(self::OPTION);
    }

    public function client(): Client
    {
        return new Client($this->url . '/api', $this->apiKey, self::TIMEOUT_SECONDS, 1);
    }

    /** Enough to recognise the key, far too little to use it. */
    public function keyHint(): string
    {
        return substr($this->apiKey, 0, strlen('sk_test_')) . '…' . substr($this->apiKey, -4);
    }
}
