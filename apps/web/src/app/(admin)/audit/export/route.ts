import { processSwitchyard } from '#/server/native/process.ts';
import { exportAudit } from '#/server/native/staff.ts';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => exportAudit(processSwitchyard(), request);
