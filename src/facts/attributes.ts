/**
 * Every attribute that an effect of ours may have, for whoever names one in a condition: one that no effect has is always null. The
 * test beside this file finds what is missing.
 */
const NAMES =
  'abandons absolute access account acl add addresses admin all all_namespaces allow amend amount app append application argument arguments as ' +
  'astray attachments authorised auto auto_approve backup base bcc become branch by capabilities carries cascade cc cgroupns change channel ' +
  'clean client cluster collection command compiled connection contained container context credentials currency database delete delete_branch ' +
  'deserialize detached device digest disguised domain draft drops durable dynamic endpoint environment everything extended fields file ' +
  'filtered follow force forced foreign_secret fresh from from_index function gated given glob global goal groups hard head hook host host_kind ' +
  'iban identifier identity ignored image in in_place_of index injection insecure interactive interface ipc key kubeconfig kubeconfig_digest ' +
  'language lease library lifecycle limit literal live loaded local loses made_in_session mailed manager manifest manifests many mass method ' +
  'mirror mode module name named names_only namespace nested_scope network no_preserve_root no_verify number object of offensive operation ' +
  'options other_hosts others over owner package path pattern payee picked pid playbook pod port private privilege privileged procedure ' +
  'production profile program project project_file prompt protection provider prune public punycode push read_only rebuilt recipient recipients ' +
  'recurring recursive redirects ref refspecs region registry remote remove removes repository resource_group revision revoke root runs_code ' +
  'schema scheme scope section selector served_by server serves service setting settings settings_content severity signal single_file size ' +
  'smuggled socket source spec stack status store subcommand stranger subject submodules subscription symbolic system table tag tags target ' +
  'task title to tool type typed unattended unchecked unconfined undo ungated unresolved unsafe_paths untold upgrade upload url user userns uts ' +
  'value values variable verb version via visibility volumes where workspace'

export const ATTRIBUTES: ReadonlySet<string> = new Set(NAMES.split(' '))
