<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

/** Where the plugin would have ended the request: at another address, or with a status. */
final class Left extends \RuntimeException
{
}
