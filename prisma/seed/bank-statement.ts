import { createHash } from 'node:crypto';
import { type Database, newId } from '@switchyard/db';
import { z } from 'zod';

/** A settlement as the sandbox's control API answers it. Amounts are kobo. */
export const paidOutSchema = z.object({ id: z.number().int(), currency: z.string(), net: z.number().int(), day: z.iso.date() });

/** A settlement that the sandbox formed. */
export type PaidOut = z.output<typeof paidOutSchema>;

const BANK_ACCOUNT = 'GTBank 0123456789';
const CHARGE_KOBO = 5_000;
/** Faults of payouts, each counted from the newest; the newest ones may still be on the way. */
const FAULTS = { short: 4, missing: 6, foreign: 5 } as const;

/** A line of the demo's bank statement. */
interface DemoLine {
  readonly day: string;
  readonly kobo: number;
  readonly text: string;
}

/**
 * Writes the demo's bank statement of the weeks before, as if it had been taken in: each payout on its day, one short by a bank charge, one
 * missing, and money of the gateway that is of no payout; beside them the merchant's other business. Once: what is there stays.
 */
export async function plantBankStatement(
  { prisma }: Database,
  merchantId: string,
  settlements: readonly PaidOut[],
  now: Date,
): Promise<void> {
  const mode = 'test' as const;
  if ((await prisma.bankStatement.count({ where: { merchantId, mode } })) > 0) return;
  const lines = linesOf(settlements, now);
  if (lines.length === 0) return;
  const days = lines.map(({ day }) => day).toSorted();
  const statementId = newId();
  const content = JSON.stringify(lines);
  const hash = createHash('sha256').update(content).digest('hex');
  const times = { createdAt: now };
  await prisma.$transaction([
    prisma.bankStatement.create({
      data: {
        merchantId,
        mode,
        id: statementId,
        hash,
        name: 'gtbank-statement.csv',
        bytes: content.length,
        format: 'csv',
        lines: lines.length,
        known: 0,
        takenBy: 'system:demo',
        takenAt: now,
      },
    }),
    prisma.bankCoverage.create({
      data: {
        merchantId,
        mode,
        statementId,
        bankAccount: BANK_ACCOUNT,
        coveredFrom: new Date(`${days[0]}T00:00:00Z`),
        coveredTo: new Date(`${days.at(-1)}T00:00:00Z`),
      },
    }),
    prisma.bankLine.createMany({
      data: lines.map(({ day, kobo, text }, at) => ({
        merchantId,
        mode,
        statementId,
        ...times,
        id: newId(),
        bankAccount: BANK_ACCOUNT,
        bookedOn: new Date(`${day}T00:00:00Z`),
        amount: (kobo / 100).toFixed(2),
        currency: 'NGN',
        text,
        dedupeKey: `demo-${at}`,
      })),
    }),
  ]);
}

function linesOf(settlements: readonly PaidOut[], now: Date): DemoLine[] {
  const today = now.toISOString().slice(0, 10);
  const payouts = settlements
    .filter(({ currency, net, day }) => currency === 'NGN' && net > 0 && day <= today)
    .toSorted((a, b) => b.day.localeCompare(a.day) || b.id - a.id);
  const lines = payouts.flatMap(({ id, net, day }, at): DemoLine[] => {
    const text = `NIP/PAYSTACK PAYMENTS LTD/${id}`;
    switch (at) {
      case FAULTS.missing:
        return [];
      case FAULTS.short:
        return [{ day, kobo: net - CHARGE_KOBO, text: `${text} LESS CHARGE` }];
      case FAULTS.foreign:
        return [
          { day, kobo: net, text },
          { day, kobo: 325_000, text: 'NIP/PAYSTACK PAYMENTS LTD/ADJUSTMENT' },
        ];
      default:
        return [
          { day, kobo: net, text },
          { day, kobo: -150_000, text: 'POS PURCHASE/DIESEL' },
        ];
    }
  });
  const rent = { day: payouts.at(-1)?.day ?? today, kobo: 4_500_000, text: 'TRF/BISI ADE/RENT OF STALL' };
  return payouts.length === 0 ? [] : [...lines, rent];
}
