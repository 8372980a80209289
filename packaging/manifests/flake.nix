# nix run, with this file as flake.nix in a repository or a folder of its own.
{
  description = "What a robot may do with a URL, and why";
  inputs.nixpkgs.url = "nixpkgs";
  outputs = { self, nixpkgs }:
    let
      archives = {
        # @for NIX
        "@NIX@" = {
          url = "@URL@";
          sha256 = "@DIGEST@";
        };
        # @end
      };
      package = system: archive:
        let pkgs = nixpkgs.legacyPackages.${system};
        in pkgs.stdenvNoCC.mkDerivation {
          pname = "abide";
          version = "@VERSION@";
          src = pkgs.fetchurl archive;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          installPhase = ''
            install -D -m 755 abide $out/bin/abide
            installManPage man/*.1
            installShellCompletion completions/abide.{bash,fish,zsh}
          '';
          meta = {
            homepage = "@REPOSITORY@";
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "abide";
          };
        };
    in {
      packages = builtins.mapAttrs
        (system: archive: { default = package system archive; })
        archives;
    };
}
