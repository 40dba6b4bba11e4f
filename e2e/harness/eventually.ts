import { connect } from 'node:net';
import type { Database } from '@switchyard/db';
import type { GatewayWebhook, Prisma } from '@switchyard/db/client';

/** Against suites that hang: starting a process may take a busy machine a minute. */
const TIMEOUT_MS = 120_000;
const INTERVAL_MS = 20;

/** Polls until there is a value; throws after two minutes without. */
export async function eventually<T>(what: string, read: () => Promise<T | null | undefined>): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const value = await read();
    if (value !== null && value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`waited ${TIMEOUT_MS / 1_000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}

/** Resolves when a program of this machine takes connections at a port. Sends it nothing. */
export async function untilListening(port: number): Promise<void> {
  await eventually(`port ${port} to be listened at`, () => {
    return new Promise<true | null>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(null));
    });
  });
}

/** A stored webhook of a gateway that is followed up; null while there is none. */
export async function findFollowedUp(
  { prisma }: Pick<Database, 'prisma'>,
  where: Prisma.GatewayWebhookWhereInput,
): Promise<GatewayWebhook | null> {
  const webhook = await prisma.gatewayWebhook.findFirst({ where });
  if (webhook === null) return null;
  const { merchantId, id: webhookId } = webhook;
  return (await prisma.webhookFollowUp.count({ where: { merchantId, webhookId } })) === 0 ? webhook : null;
}
