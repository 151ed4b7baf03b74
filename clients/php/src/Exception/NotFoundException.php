<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** There is no such resource for this key. */
final class NotFoundException extends ApiException
{
}
