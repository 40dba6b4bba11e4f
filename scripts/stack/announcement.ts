import type { Demo } from './demo.ts';
import type { Project } from './project.ts';

/** A request that can be pasted any number of times: the order id is the time. */
export function firstPayment(demo: Demo): string {
  const body = `{"merchantOrderId":"order-'$(date +%s)'","amount":2500,"currency":"NGN","paymentMethod":"card","customer":{"email":"ada@example.com"}}`;
  return [
    `curl -s ${demo.webUrl}/v1/payments/initiate \\`,
    `      -H 'Authorization: Bearer ${demo.secretKey}' \\`,
    "      -H 'Content-Type: application/json' \\",
    `      -d '${body}'`,
  ].join('\n');
}

/** The text printed when everything runs. */
export function announcement(demo: Demo, project: Project, took: string): string {
  return `
  Switchyard is ready, after ${took}.

  Dashboard    ${demo.webUrl}
  Sign in      ${demo.staffEmail}   ${demo.staffPassword}
  Sandbox      ${demo.sandboxUrl}
  API          ${demo.webUrl}/v1
  Secret keys  ${demo.secretKey}
               ${demo.secondMerchantKey}   (another merchant)

  The same in ${project.demoFile}; logs in ${project.logs}

  A first payment:

    ${firstPayment(demo)}

  Open the "redirectUrl" of the answer in a browser to pay. Ctrl-C stops everything and keeps the data.
`;
}
