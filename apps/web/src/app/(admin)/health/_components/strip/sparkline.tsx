import { linePath } from '#/charts/paths.ts';
import classes from './sparkline.module.css';

const HEIGHT = 20;

/** A line of a row's height; the figure beside it is its last value. */
export function Sparkline({
  values,
  range,
  label,
  tone = 'plain',
}: {
  values: readonly (number | null)[];
  range: { readonly min: number; readonly max: number };
  label: string;
  tone?: 'plain' | 'bad';
}) {
  return (
    <svg
      className={classes.line}
      data-tone={tone}
      viewBox={`0 -2 ${Math.max(values.length, 1)} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={linePath(values, range, HEIGHT)} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
