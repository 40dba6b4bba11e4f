import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/** The accent colour: teal, from very light to nearly black. */
const teal: MantineColorsTuple = [
  '#eef8f6',
  '#d9efeb',
  '#b2ded7',
  '#85cbc1',
  '#4cc0b3',
  '#2fa297',
  '#17837a',
  '#0f655f',
  '#0b4f4a',
  '#083b38',
];

const gray: MantineColorsTuple = [
  '#f7f8f8',
  '#eff1f2',
  '#e3e6e8',
  '#c9cfd4',
  '#a9b2b9',
  '#8b96a0',
  '#5f6a74',
  '#4d5761',
  '#2b343b',
  '#14191d',
];

const dark: MantineColorsTuple = [
  '#e6e9eb',
  '#c6ccd1',
  '#aab3bb',
  '#7b868f',
  '#3a444c',
  '#242b30',
  '#171c20',
  '#0e1113',
  '#0a0c0e',
  '#060708',
];

/** The one filled button changes its ink with the scheme, which the kit works out for one scheme only. */
const variantColors: VariantColorsResolver = (input) => {
  if (input.variant !== 'filled' || (input.color !== undefined && input.color !== 'teal'))
    return defaultVariantColorsResolver(input);
  return { background: 'var(--accent)', hover: 'var(--accent-hover)', color: 'var(--on-accent)', border: 'transparent' };
};

/** The Mantine theme of this product. */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver: variantColors,
  colors: { teal, gray, dark },
  white: '#ffffff',
  black: '#14191d',
  fontFamily: '"Inter Variable", "Inter Fallback", system-ui, sans-serif',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '22px' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.4', xl: '1.25' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '14px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '600' },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    InputWrapper: { styles: { label: { marginBottom: 4 } } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
  },
});

/** Maps this product's colour tokens to Mantine's, so that both change with the scheme. */
export const cssVariables: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--ground)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-faint)',
    '--mantine-color-placeholder': 'var(--ink-faint)',
    '--mantine-color-anchor': 'var(--accent-ink)',
    '--mantine-color-error': 'var(--bad-ink)',
    '--mantine-color-default': 'var(--ground)',
    '--mantine-color-default-hover': 'var(--ground-hover)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
  };
  return { variables: {}, light: both, dark: both };
};
