/** The most characters of a search for organizations or people, in the API and in the dashboard, and for API keys. */
export const SEARCH_CHARS_MAX = 100;
