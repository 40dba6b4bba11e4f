import { z } from 'zod';

/** Messages to the report clients: begin, report progress, or end. */
export const reportsPlanSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('begin'),
    webUrl: z.string(),
    token: z.string(),
    /** Whose payments are reported on, in test mode. */
    merchantId: z.string(),
  }),
  z.object({ kind: z.literal('count') }),
  z.object({ kind: z.literal('end') }),
]);

/** So far: reports answered, and rows exported. */
export const reportsCountSchema = z.object({ reports: z.int(), rows: z.int() });
export type ReportsCount = z.output<typeof reportsCountSchema>;
