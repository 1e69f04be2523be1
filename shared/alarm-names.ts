/** How many names the sentence of an alarm has. The dashboard lists all of them if there are more. */
export const ALARM_NAMES_MAX = 3;
