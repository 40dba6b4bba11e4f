import { forwardToReporting } from '#/server/reporting.ts';

export const dynamic = 'force-dynamic';

export { forwardToReporting as GET };
