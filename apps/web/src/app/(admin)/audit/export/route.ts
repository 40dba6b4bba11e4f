import { exportAudit } from '#/server/native/export-audit.ts';
import { processSwitchyard } from '#/server/native/process.ts';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => exportAudit(processSwitchyard(), request);
