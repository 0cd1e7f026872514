/** Keys of the Windows registry, whichever program changes them. */

/** Keys whose values run at logon or start. */
const AUTORUN = /\\(?:run|runonce|runservices|winlogon|image file execution options|currentversion\\windows|services)(?:\\|$)/i

/** Settings that switch protection off. */
const PROTECTION = /\\(?:windows defender|lsa|safer|system\\audit|securityhealthservice|currentversion\\policies\\system)(?:\\|$)/i

/** What a change of the key is: something that runs later, protection, or a setting. */
export function registryAction(key: string): 'schedule:install' | 'security:disable' | 'system:registry' {
  if (AUTORUN.test(key)) return 'schedule:install'
  return PROTECTION.test(key) ? 'security:disable' : 'system:registry'
}
