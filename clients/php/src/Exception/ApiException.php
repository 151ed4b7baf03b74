<?php

declare(strict_types=1);

namespace Sluice\Exception;

/** The service answered, but not with a success. */
abstract class ApiException extends SluiceException
{
    private const BY_CODE = [
        'invalid_state' => ConflictException::class,
        'idempotency_key_mismatch' => ConflictException::class,
    ];
    private const BY_STATUS = [
        401 => AuthenticationException::class,
        403 => PermissionDeniedException::class,
        404 => NotFoundException::class,
        409 => ConflictException::class,
        429 => RateLimitException::class,
    ];

    /**
     * @param string $errorCode For your code, such as `insufficient_balance`. A newer service may send codes that this
     *   version does not know.
     * @param int $status The HTTP status.
     * @param list<string> $details One string per problem, `"<json pointer>: <what is wrong>"`; empty if the service
     *   named none.
     * @param string|null $requestId Quote it to support. Null if the answer did not come from Sluice.
     * @param int|null $retryAfter How many seconds the service asks to wait before the next request.
     */
    final public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly int $status,
        public readonly array $details = [],
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfter = null,
    ) {
        $problems = $details === [] ? '' : ' ' . implode('; ', $details);
        $request = $requestId === null ? '' : ", request $requestId";
        parent::__construct("$message$problems ($errorCode$request)");
    }

    /**
     * The class of a refusal of the service.
     *
     * @return class-string<ApiException>
     */
    final public static function classOf(string $errorCode, int $status): string
    {
        if ($status >= 500) {
            return ServerException::class;
        }
        return self::BY_CODE[$errorCode] ?? self::BY_STATUS[$status] ?? ValidationException::class;
    }
}
