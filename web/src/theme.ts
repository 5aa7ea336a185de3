import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent. Green, amber and red are kept for outcomes. Shade 7 on white has contrast 6.2 : 1. */
const petrol: MantineColorsTuple = [
  '#e8f4f7',
  '#d0e7ec',
  '#a3d0da',
  '#73b8c7',
  '#4aa3b6',
  '#2f94a9',
  '#1b8198',
  '#0f6b7f',
  '#0b5767',
  '#084450',
];

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 7 },
  colors: { petrol },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } },
  },
  defaultRadius: 'sm',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Anchor: { defaultProps: { underline: 'hover' } },
    Tooltip: { defaultProps: { transitionProps: { duration: 80 }, events: { hover: true, focus: true, touch: true } } },
    // A focusable placeholder inside a menu is no menu item; without it the first item takes the focus.
    Menu: { defaultProps: { transitionProps: { duration: 80 }, withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { transitionProps: { duration: 120 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm', tabularNums: true } },
  },
});

/** Mantine's quiet greys measure 3.3 : 1 and its field borders 1.5 : 1; ours keep 4.5 : 1 for text and 3 : 1 for borders. */
export const quietInks: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-default-border': '#8a929a',
    '--mantine-color-gray-4': '#8a929a',
    '--mantine-color-dimmed': '#545b62',
    '--mantine-color-placeholder': '#666d74',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#0c6072',
    '--mantine-color-petrol-light-hover': '#bcdde4',
    '--surface': '#ffffff',
    '--surface-quiet': '#f5f7f8',
    '--line': '#d9dee2',
    '--good': '#1b6e3c',
    '--good-wash': '#e8f5ec',
    '--care': '#7a4d00',
    '--care-wash': '#fdf3df',
    '--bad': '#b42318',
    '--bad-wash': '#fdecea',
  },
  dark: {
    '--mantine-color-default-border': '#69737c',
    '--mantine-color-dark-4': '#69737c',
    '--mantine-color-dimmed': '#b0b5bb',
    '--mantine-color-placeholder': '#a0a6ad',
    '--mantine-color-error': '#ff9d93',
    '--mantine-color-anchor': '#7cc6d5',
    '--mantine-color-body': '#16191c',
    '--surface': '#16191c',
    '--surface-quiet': '#1e2327',
    '--line': '#39424a',
    '--good': '#7fd4a0',
    '--good-wash': '#16301f',
    '--care': '#f0c070',
    '--care-wash': '#33270f',
    '--bad': '#ff9d93',
    '--bad-wash': '#3a1a17',
  },
});
