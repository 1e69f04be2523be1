/** How the colour of a badge judges what it says. Apart from the badge, for modules without JSX. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad';
