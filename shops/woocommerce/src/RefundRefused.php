<?php

declare(strict_types=1);

namespace Sluice\WooCommerce;

/** A refund that cannot be requested as it is; the message tells the admin what to do. */
final class RefundRefused extends \RuntimeException
{
}
