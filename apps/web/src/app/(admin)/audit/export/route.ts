import { processSwitchyard } from '@switchyard/api/process';
import { exportAudit } from '@switchyard/api/staff';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => exportAudit(processSwitchyard(), request);
