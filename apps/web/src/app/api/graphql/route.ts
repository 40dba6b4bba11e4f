import { forwardToReporting } from '#/server/reporting.ts';

export const dynamic = 'force-dynamic';

export {
  forwardToReporting as DELETE,
  forwardToReporting as GET,
  forwardToReporting as HEAD,
  forwardToReporting as OPTIONS,
  forwardToReporting as PATCH,
  forwardToReporting as POST,
  forwardToReporting as PUT,
};
