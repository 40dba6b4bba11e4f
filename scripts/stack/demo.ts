import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Problem } from '../bootstrap/problem.mjs';
import type { Project } from './project.ts';

const demoSchema = z.object({
  webUrl: z.string(),
  sandboxUrl: z.string(),
  secretKey: z.string(),
  secondMerchantKey: z.string(),
  staffEmail: z.string(),
  staffPassword: z.string(),
});

/** Data that the seed leaves for people and tests to use. */
export type Demo = z.infer<typeof demoSchema>;

/** Reads the demo file. Throws a Problem when it is missing or damaged. */
export function readDemo(file: string): Demo {
  try {
    return demoSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const hint = 'Start again; if that does not help, report it as a bug.';
    throw new Problem(`The demo data left no usable ${file}.`, [hint], error);
  }
}

/** The text printed when payments are taken. The request can be pasted any number of times: the order id is the time. */
export function announcement(
  { demo, arePagesPending }: { readonly demo: Demo; readonly arePagesPending: boolean },
  project: Project,
  took: string,
): string {
  const body = `{"merchantOrderId":"order-'$(date +%s)'","amount":2500,"currency":"NGN","paymentMethod":"card","customer":{"email":"ada@example.com"}}`;
  return `
  Switchyard is ready, after ${took}.

  Dashboard    ${demo.webUrl}${arePagesPending ? '   (opens when its pages are built)' : ''}
  Sign in      ${demo.staffEmail}   ${demo.staffPassword}
  Sandbox      ${demo.sandboxUrl}
  API          ${demo.webUrl}/v1
  Secret keys  ${demo.secretKey}
               ${demo.secondMerchantKey}   (another merchant)

  The same in ${project.demoFile}; logs in ${project.logs}

  A first payment:

    curl -s ${demo.webUrl}/v1/payments/initiate \\
      -H 'Authorization: Bearer ${demo.secretKey}' \\
      -H 'Content-Type: application/json' \\
      -d '${body}'

  Open the "redirectUrl" of the answer in a browser to pay. Ctrl-C stops everything and keeps the data.
`;
}
