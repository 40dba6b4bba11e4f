import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PERIOD_US = 20_000;
const ROOT = '/sys/fs/cgroup';
/** Version 1 has a hierarchy for each controller. */
const ROOT_V1 = join(ROOT, 'cpu');

/**
 * Lets each process use at most such a share of one processor, by control groups of Linux, until the returned function is called. Throws
 * where they cannot be written: they need root.
 */
export function limitCpu(pids: readonly number[], share: number): () => void {
  const isV1 = existsSync(join(ROOT_V1, 'cpu.cfs_quota_us'));
  const root = isV1 ? ROOT_V1 : ROOT;
  const quotaUs = Math.round(share * PERIOD_US);
  const groups = pids.map((pid) => {
    const group = join(root, `switchyard-bench-${pid}`);
    mkdirSync(group, { recursive: true });
    if (isV1) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
    } else {
      writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${PERIOD_US}`);
    }
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    return { pid, group };
  });
  return () => {
    for (const { pid, group } of groups) {
      if (existsSync(`/proc/${pid}`)) writeFileSync(join(root, 'cgroup.procs'), String(pid));
      rmdirSync(group);
    }
  };
}
