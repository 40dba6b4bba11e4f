import { z } from 'zod';
import { explainSettings, settingsFromEnv } from './options.ts';
import { startSandbox } from './sandbox.ts';
import { PortUnavailable } from './server/listener.ts';

/** A start that cannot succeed ends with one sentence and code 2. */
async function main(): Promise<void> {
  const sandbox = await startSandbox(settingsFromEnv(process.env));
  const { controlUrl, gateways } = sandbox;
  process.stdout.write(`${JSON.stringify({ ready: true, controlUrl, gateways })}\n`);
  let closing = false;
  const stop = (): void => {
    if (closing) return;
    closing = true;
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(2);
});

function explain(error: unknown): string {
  if (error instanceof PortUnavailable) return error.message;
  if (error instanceof z.ZodError) return `The sandbox cannot start: ${explainSettings(error)}.`;
  return `The sandbox cannot start: ${error instanceof Error ? error.message : 'unknown reason'}.`;
}
