import type { Mode } from '@switchyard/db/client';
import type { MerchantConfiguration } from '@switchyard/merchants';
import { DEFAULT_HEALTH_THRESHOLDS, type HealthThresholds, readHealthThresholds } from './thresholds.ts';

const read = new WeakMap<MerchantConfiguration, Partial<Record<Mode, HealthThresholds>>>();

/** The thresholds a merchant's accounts are judged by in one mode, read once per picture of the configuration. */
export function thresholdsOf(configuration: MerchantConfiguration | undefined, mode: Mode): HealthThresholds {
  if (configuration === undefined) return DEFAULT_HEALTH_THRESHOLDS;
  const known = read.get(configuration) ?? {};
  const thresholds = known[mode] ?? readHealthThresholds(configuration.healthThresholds[mode]?.changes ?? {});
  read.set(configuration, { ...known, [mode]: thresholds });
  return thresholds;
}
