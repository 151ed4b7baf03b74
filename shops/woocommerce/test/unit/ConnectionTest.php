<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

use Sluice\WooCommerce\Connection;

final class ConnectionTest extends ShopCase
{
    public function testIsNoneWhereAnythingIsMissing(): void
    {
        foreach (['url', 'id', 'environment', 'merchant_name', 'api_key', 'webhook_secret'] as $field) {
            update_option(Connection::OPTION, [$field => ''] + get_option(Connection::OPTION));
            self::assertNull(Connection::current(), $field);
            $this->connect();
            self::assertNotNull(Connection::current());
        }
        update_option(Connection::OPTION, 'broken');
        self::assertNull(Connection::current());
    }

    public function testShowsTheEndOfItsKeyOnly(): void
    {
        self::assertSame('sk_test_…cdef', Connection::current()->keyHint());
    }
}
