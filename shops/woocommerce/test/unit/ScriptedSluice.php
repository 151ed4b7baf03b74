<?php

declare(strict_types=1);

namespace Sluice\WooCommerce\Test;

/** A Sluice that answers what a test wrote down, and notes what it was asked. It ends with this process. */
final class ScriptedSluice
{
    private static ?self $running = null;
    /** @var resource */
    private $process;

    private function __construct(public readonly string $url, private readonly string $folder)
    {
        $command = [PHP_BINARY, '-S', substr($url, strlen('http://')), __DIR__ . '/scripted-sluice.php'];
        $nothing = ['file', '/dev/null', 'w'];
        $this->process = proc_open($command, [1 => $nothing, 2 => $nothing], $pipes, null, ['SLUICE_TEST_STATE' => $folder]);
        register_shutdown_function(function (): void {
            proc_terminate($this->process);
            array_map('unlink', glob("{$this->folder}/*"));
            rmdir($this->folder);
        });
        for ($tries = 0; @file_get_contents("$url/ready") !== 'yes'; $tries += 1) {
            if ($tries > 3000) {
                throw new \RuntimeException('The scripted Sluice does not answer.');
            }
            usleep(10_000);
        }
    }

    public static function running(): self
    {
        if (self::$running === null) {
            $free = stream_socket_server('tcp://127.0.0.1:0');
            $address = stream_socket_get_name($free, false);
            fclose($free);
            $folder = sys_get_temp_dir() . '/sluice-scripted-' . bin2hex(random_bytes(6));
            mkdir($folder, 0700);
            self::$running = new self("http://$address", $folder);
        }
        return self::$running;
    }

    public function forget(): void
    {
        array_map('unlink', glob("{$this->folder}/*"));
    }

    /** @param array<string, mixed> $body */
    public function answer(string $request, array $body, int $status = 200): void
    {
        file_put_contents("{$this->folder}/" . hash('sha256', $request), serialize([$status, $body]));
    }

    /** @param array<string, mixed> $data */
    public function has(string $request, array $data): void
    {
        $this->answer($request, ['data' => $data, 'meta' => ['request_id' => 'req_1']]);
    }

    /** @param list<array<string, mixed>> $rows */
    public function lists(string $request, array $rows): void
    {
        $pagination = ['total' => count($rows), 'limit' => 100, 'offset' => 0, 'has_more' => false];
        $this->answer($request, ['data' => $rows, 'meta' => ['request_id' => 'req_1', 'pagination' => $pagination]]);
    }

    public function refuses(string $request, int $status, string $code): void
    {
        $error = ['code' => $code, 'message' => 'Not today.', 'details' => []];
        $this->answer($request, ['error' => $error, 'meta' => ['request_id' => 'req_1']], $status);
    }

    /** @return list<array{request: string, key: string|null, idempotency: string|null, fields: array<string, mixed>|null}> */
    public function asked(string $request = ''): array
    {
        $lines = @file("{$this->folder}/asked", FILE_IGNORE_NEW_LINES) ?: [];
        $all = array_map(static fn (string $line): array => json_decode($line, true), $lines);
        return array_values(array_filter($all, static fn (array $each) => $request === '' || $each['request'] === $request));
    }
}
