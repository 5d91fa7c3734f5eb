# Scid 4.7 without a display: tkscid scid.tcl create DATABASE FILE.pgn, or tkscid scid.tcl TASK DATABASE
#
# Makes a database of the games, or asks it: each task prints how many games it found.
proc ::progressCallBack {args} {}
lassign $argv task database file

# The position after these moves becomes the current one.
proc play {moves} {
    foreach san $moves { sc_move addSan $san }
}

# Bounds that allow any material, which a search for pieces on squares needs.
set anything {-wq {0 9} -bq {0 9} -wr {0 9} -br {0 9} -wb {0 9} -bb {0 9} -wn {0 9} -bn {0 9} -wm {0 9} -bm {0 9} -wp {0 8} -bp {0 8}}

if {$task eq "create"} {
    file delete $database.si4 $database.sg4 $database.sn4
    sc_base create SCID4 $database
    set base [sc_base current]
    sc_base import $base $file
    puts [sc_base numGames $base]
    exit
}
set base [sc_base open SCID4 $database]
sc_base switch $base
switch $task {
    opening {
        play {e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6}
        sc_search board RESET Exact false false
        sc_tree stats $base dbfilter
    }
    material {
        sc_search material -filter RESET -wq {0 0} -bq {0 0} -wr {1 1} -br {1 1} -wb {0 0} -bb {0 0} \
            -wn {0 0} -bn {0 0} -wm {0 0} -bm {0 0} -wp {1 1} -bp {0 0} -flip 0 -length 1
    }
    pattern {
        sc_search material -filter RESET {*}$anything -pattern {1 wn d 5} -pattern {1 bp d 6} \
            -pattern {1 wp h 5} -flip 0 -length 1 -range {1 999} -bishops {} -diff {-40 40}
    }
    player {
        sc_search header -white Carlsen -filter RESET
    }
}
puts "[sc_filter count] games"
exit
