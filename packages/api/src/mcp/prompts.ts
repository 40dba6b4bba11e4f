import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

/** Adds the prompts that clients offer people. */
export function registerPrompts(server: McpServer): void {
  const config = {
    title: 'Why did this payment fail?',
    description: 'Explains what became of one payment, and whether it would be routed the same now.',
    argsSchema: { paymentId: z.uuid().toLowerCase().describe('Id of the payment.') },
  };
  server.registerPrompt('why_did_this_payment_fail', config, ({ paymentId }) => ({
    messages: [
      {
        role: 'user',
        content: {
          type: 'text',
          text: `Call explain_payment for payment ${paymentId}, and would_route_same_now for the same. Say in a few sentences why it went as it did: which rule decided, which accounts were tried and what each answered. Say whether it would go the same way now, and what a person could change. Name figures and times.`,
        },
      },
    ],
  }));
}
