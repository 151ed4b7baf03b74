<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** The key lacks the permission for this operation. */
final class PermissionDeniedException extends ApiException
{
}
