import type { WebhookEvent } from '@switchyard/client';
import type { Command } from 'commander';
import { readCredentials } from '../credentials.ts';
import { streamEvents } from '../event-stream.ts';
import { amountOf, printable, type Surroundings, timeOf } from '../print.ts';

/** `switchyard logs` */
export function addLogs(program: Command, surroundings: Surroundings): void {
  const { out, err, signal } = surroundings;
  const logs = program.command('logs').description('what happens to payments');
  logs
    .command('tail')
    .description('print each event as it happens')
    .option('--json', 'for programs: the event record, one a line')
    .action(async ({ json }: { json?: true }) => {
      const options = {
        signal,
        onOpen: () => err('Waiting for events; Ctrl-C ends it.\n'),
        onBreak: () => err('The connection broke; trying again.\n'),
      };
      for await (const { body } of streamEvents(readCredentials(surroundings), options)) {
        out(`${json ? body : describe(JSON.parse(body))}\n`);
      }
    });
}

function describe({ type, createdAt, data }: WebhookEvent): string {
  const amount = data.refund === undefined ? amountOf(data) : `${amountOf(data.refund)} of ${amountOf(data)}`;
  const parts = [timeOf(createdAt), type.padEnd(24), data.status.padEnd(8), amount, data.merchantOrderId, data.paymentId];
  return printable(parts.join('  '));
}
