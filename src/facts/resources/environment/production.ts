/** Whether a word names the environment that customers use: `prod`, `shop_production`, `daily/prod`. */
export function isProduction(text: string): boolean {
  return text.length <= 128 && PRODUCTION.test(text)
}

const PRODUCTION = /^(?:[\w./-]{1,60}[-_.:/=])?(?:prod|production|prd)$/i
