import type { TestEventParameters } from '@switchyard/client';
import { Argument, type Command } from 'commander';
import { json, printable } from '../print.ts';
import type { Surroundings } from '../surroundings.ts';
import { openClient } from './payments.ts';

const TYPES = [
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'refund.succeeded',
  'refund.failed',
  'payment.requires_review',
  'payment.duplicate_charge',
  'payment.reversed',
  'payment.reinstated',
] as const satisfies readonly TestEventParameters['type'][];

/** `switchyard trigger` */
export function addTrigger(program: Command, surroundings: Surroundings): void {
  program
    .command('trigger')
    .description('in test mode, send the newest event of a type again, to your endpoints and to `switchyard listen`')
    .addArgument(new Argument('<type>', 'type of the event').choices(TYPES))
    .option('--json', 'for programs: the event record')
    .action(async (type: TestEventParameters['type'], options: { json?: true }) => {
      const event = await openClient(surroundings).events.sendTest({ type });
      surroundings.out(
        options.json
          ? json(event)
          : `Sent ${type}, event ${event.id}, order ${printable(event.data.merchantOrderId)}, payment ${event.data.paymentId}\n`,
      );
    });
}
