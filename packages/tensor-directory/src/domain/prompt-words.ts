/** A set of words, written as a text. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** What may stand before the verb of a request. */
export const POLITE = words(`
  please kindly can could would will you i we want need like to hi hello hey ok okay so now just me us let a an the dear thanks thank
  and then also quickly help trying love`);

/** What this tool never does, also in the second half of a request. */
export const CHANGING = words(`
  delete remove drop erase destroy rename update change edit modify upload overwrite replace clear reset purge wipe`);

/** Other beginnings that it has no answer to. */
export const NOT_SERVED = words(`
  add insert export import plot draw train create make write compose sing how why when who should explain translate convert copy move`);

export const NEGATIONS = words('not never dont stop avoid nobody');

/** Beginnings of a request to look something up. */
export const LOOKING = words(`
  find search show list get fetch load display retrieve locate look give open see view inspect describe tell check what which
  any all every are is there do does have seek browse enumerate print return lookup details where read summarize summarise`);

/** Of those, the ones that are followed by what is looked for. */
export const SEARCHING = words('find search look locate seek show list get fetch retrieve display give');
export const READING = words('load open view see inspect describe read check');

export const ATTRIBUTES = words(
  'shape dtype type size dimensions dimension details description rank ndim describe big large',
);

/** Words that end an unquoted name of several words. */
export const PHRASE_STOPS = words(`
  and with on please in from exist exists there have stored using for to has is now details available predict do does return`);
