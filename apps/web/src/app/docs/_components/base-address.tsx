import { docsData } from '../docs-data.ts';

/** An address of this installation. */
export function BaseAddress({ path }: { path: string }) {
  return <code>{`${docsData().base}${path}`}</code>;
}
