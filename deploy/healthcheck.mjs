/** Health check of the process of this container: exits with 0 when `/livez` answers 200, else with 1. */
const port = process.env.METRICS_PORT ?? '9464';
const TIMEOUT_MS = 2_500;

try {
  const response = await fetch(`http://127.0.0.1:${port}/livez`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
